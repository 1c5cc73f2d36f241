namespace Larder.Server.Fleet;

/// <summary>An upper bound of the node time that a command takes, as far as it is known before sending.</summary>
internal enum Effort
{
    /// <summary>A few microseconds, or a time proportional to the size of the command: sent at once.</summary>
    Small,

    /// <summary>
    /// At most <see cref="FleetLimits.LightElements"/> elements. The command checks the collection's size first and does nothing if it is larger.
    /// </summary>
    Light,

    /// <summary>More than a light command: one at a time on each node.</summary>
    Heavy,
}

/// <summary>Computes the effort of commands from their requests.</summary>
internal static class Efforts
{
    /// <summary>Returns the effort of a command for this number of elements in its request.</summary>
    public static Effort OfElements(int elements) => elements switch
    {
        <= FleetLimits.SmallElements => Effort.Small,
        <= FleetLimits.LightElements => Effort.Light,
        _ => Effort.Heavy,
    };
}
