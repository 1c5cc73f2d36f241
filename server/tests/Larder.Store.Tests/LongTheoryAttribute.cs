namespace Larder.Store.Tests;

/// <summary>A test that takes more than a few seconds. It is skipped unless the environment variable LARDER_LONG is 1.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LongTheoryAttribute : TheoryAttribute
{
    public LongTheoryAttribute()
    {
        if (Environment.GetEnvironmentVariable("LARDER_LONG") != "1")
        {
            Skip = "Takes half a minute; set LARDER_LONG=1 to run it.";
        }
    }
}
