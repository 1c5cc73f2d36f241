namespace Larder.Server.Configuration;

/// <summary>A duration on the command line, shown in the help as <c>24h</c>.</summary>
internal readonly record struct DurationArgument(TimeSpan Value)
{
    public override string ToString() => DurationText.Format(Value);
}
