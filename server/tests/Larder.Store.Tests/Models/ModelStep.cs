namespace Larder.Store.Tests;

internal enum ModelStepKind
{
    Get,
    Set,
    SetIf,
    Delete,
    Increment,
    UpdateTtl,
    GetTtl,
    Contains,
    Advance,
    Flush,
    Last,
}

/// <summary>A random operation on the store and on its model.</summary>
internal sealed record ModelStep(ModelStepKind Kind, int Key, int Operand, long TtlMs)
{
    public static ModelStep Random(Random random, int keys)
    {
        var kind = (ModelStepKind)random.Next((int)ModelStepKind.Last);
        if (kind == ModelStepKind.Flush && random.Next(200) != 0)
        {
            kind = ModelStepKind.Set;
        }

        long ttlMs = Math.Clamp((long)Math.Pow(86_400_000, random.NextDouble()), 1, 86_400_000);
        return new ModelStep(kind, random.Next(keys), random.Next(1_000), kind == ModelStepKind.Advance ? 1 + (ttlMs / 50) : ttlMs);
    }
}
