using Larder.Server.Near;

namespace Larder.Server.Console;

/// <summary>Statistics about near caching: the near streams, the copies that clients may keep, and the notifications about changes.</summary>
internal sealed record NearStats
{
    /// <summary>Gets the number of open near streams.</summary>
    public required long Streams { get; init; }

    /// <summary>Gets the number of gets since startup whose value the client was allowed to cache.</summary>
    public required long Gets { get; init; }

    /// <summary>Gets the number of invalidations of single keys that the server has sent since startup.</summary>
    public required long Invalidations { get; init; }

    /// <summary>Gets the number of notifications since startup that made a client drop all its copies.</summary>
    public required long Clears { get; init; }

    /// <summary>Gets the number of leases renewed since startup.</summary>
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
