"""The CFR family on the operations of forms: any schedule, games with a part of the strategies fixed, CFR-BR."""
