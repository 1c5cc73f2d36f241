namespace Larder.Server.Tests.Console;

/// <summary>A fact that needs promtool. It is skipped with a message if promtool is not installed.</summary>
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
