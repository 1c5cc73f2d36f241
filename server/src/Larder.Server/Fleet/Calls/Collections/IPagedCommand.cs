namespace Larder.Server.Fleet;

/// <summary>A call that can run as several commands, each of which reads one page of the elements.</summary>
internal interface IPagedCommand
{
    /// <summary>Begins the command for one page of at most <see cref="FleetLimits.ElementsPerStep"/> elements.</summary>
    /// <param name="part">The command.</param>
    /// <param name="request">The call's request.</param>
    /// <param name="before">The number of elements that precede the page.</param>
    void BeginPage(RemoteCommand part, ReadOnlySpan<byte> request, long before);
}
