using Larder.Server.Near;

namespace Larder.Server.Console;

/// <summary>What clients keep copies of, and were told of them.</summary>
internal sealed record NearStats
{
    /// <summary>Near streams that are open.</summary>
    public required long Streams { get; init; }

    /// <summary>Gets whose answers could be kept, since the start.</summary>
    public required long Gets { get; init; }

    /// <summary>Tickets of changed keys told, since the start.</summary>
    public required long Invalidations { get; init; }

    /// <summary>How often a client was told to drop all copies, since the start.</summary>
    public required long Clears { get; init; }

    /// <summary>Leases renewed, since the start.</summary>
    public required long Renews { get; init; }

    public static NearStats Of(NearHub hub)
    {
        NearFigures figures = hub.Figures();
        return new NearStats
        {
            Streams = hub.Count,
            Gets = figures.Gets,
            Invalidations = figures.Tickets,
            Clears = figures.Clears,
            Renews = figures.Renews,
        };
    }
}
