namespace Larder.Server.Tests.Console;

/// <summary>A fact that asks Prometheus's own tool; where it is not installed, it is skipped and says so.</summary>
internal sealed class PromtoolFactAttribute : FactAttribute
{
    public PromtoolFactAttribute()
    {
        if (!File.Exists(Promtool.Path))
        {
            Skip = $"SKIPPED: {Promtool.Path} is not here (tools/setup faults)";
        }
    }
}
