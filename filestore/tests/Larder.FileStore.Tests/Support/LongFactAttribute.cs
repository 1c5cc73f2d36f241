namespace Larder.FileStore.Tests.Support;

/// <summary>A long test, which runs if LARDER_LONG=1 and is skipped otherwise.</summary>
internal sealed class LongFactAttribute : FactAttribute
{
    internal static bool IsLong => Environment.GetEnvironmentVariable("LARDER_LONG") == "1";

    public LongFactAttribute()
    {
        if (!IsLong)
        {
            Skip = "Long: runs with LARDER_LONG=1 (./larder test --long).";
        }
    }
}
