namespace Larder;

/// <summary>A test that takes longer than a few seconds. It runs if LARDER_LONG=1 is set; otherwise it is reported as skipped.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LongFactAttribute : FactAttribute
{
    public LongFactAttribute()
    {
        if (Environment.GetEnvironmentVariable("LARDER_LONG") != "1")
        {
            Skip = "Takes half a minute; set LARDER_LONG=1 to run it.";
        }
    }
}
