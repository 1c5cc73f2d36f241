using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The options for the time to live that a write sets on a collection.</summary>
internal sealed class CollectionTtlOptions
{
    private readonly Option<TimeSpan?> _ttl = new("--ttl-seconds", "--ttl")
    {
        Description = "The collection's time to live in seconds (default 3600)",
        HelpName = "seconds",
        CustomParser = Number.Seconds,
    };

    private readonly Option<bool> _noRefresh = new("--no-refresh") { Description = "Do not reset the time to live of an existing collection" };

    public void AddTo(Command command)
    {
        command.Add(_ttl);
        command.Add(_noRefresh);
    }

    public CollectionTtl Of(ParseResult parsed)
    {
        CollectionTtl ttl = parsed.GetValue(_ttl) is { } given ? CollectionTtl.Of(given) : CollectionTtl.FromCacheTtl();
        return parsed.GetValue(_noRefresh) ? ttl.WithNoRefreshTtlOnUpdates() : ttl;
    }
}
