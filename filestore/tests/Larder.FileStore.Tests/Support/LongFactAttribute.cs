namespace Larder.FileStore.Tests.Support;

/// <summary>A test that takes long: run where LARDER_LONG=1, reported as skipped elsewhere.</summary>
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
