namespace Larder.Server.Fleet;

/// <summary>An upper bound on the time that a command takes on its node. It is estimated before the command is sent.</summary>
internal enum Effort
{
    /// <summary>The command takes a few microseconds, or a time proportional to its size. It is sent immediately.</summary>
    Small,

    /// <summary>
    /// The command processes at most <see cref="FleetLimits.LightElements"/> elements. It checks the size of the collection first, and does nothing if there
    /// are more elements.
    /// </summary>
    Light,

    /// <summary>The command takes longer than a light command. Only one such command runs at a time on each node.</summary>
    Heavy,
}

/// <summary>Computes the effort of commands from their requests.</summary>
internal static class Efforts
{
    /// <summary>Returns the effort of a command whose request contains the given number of elements.</summary>
    public static Effort OfElements(int elements) => elements switch
    {
        <= FleetLimits.SmallElements => Effort.Small,
        <= FleetLimits.LightElements => Effort.Light,
        _ => Effort.Heavy,
    };
}
