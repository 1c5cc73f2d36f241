namespace Larder.Server.Fleet;

/// <summary>How much of its node's time a command takes at most, as far as that is known before it is sent.</summary>
internal enum Effort
{
    /// <summary>A few microseconds, or a time in proportion to its own bytes: sent at once.</summary>
    Small,

    /// <summary>At most <see cref="FleetLimits.LightElements"/> elements: it looks at the collection's size first, and does nothing if that is more.</summary>
    Light,

    /// <summary>More than that: one at a time on each node.</summary>
    Heavy,
}

/// <summary>The effort of commands whose requests tell it.</summary>
internal static class Efforts
{
    /// <summary>The effort of a command that takes so many elements of its request.</summary>
    public static Effort OfElements(int elements) => elements switch
    {
        <= FleetLimits.SmallElements => Effort.Small,
        <= FleetLimits.LightElements => Effort.Light,
        _ => Effort.Heavy,
    };
}
