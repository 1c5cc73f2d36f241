namespace Larder.Server.Fleet;

/// <summary>A call that can be answered by several commands, each of them for a page of the elements that it asks for.</summary>
internal interface IPagedCommand
{
    /// <summary>Begins the command for a page of <see cref="FleetLimits.ElementsAtOnce"/> elements at most.</summary>
    /// <param name="part">The command.</param>
    /// <param name="request">The call's request.</param>
    /// <param name="before">Elements before the page.</param>
    void BeginPage(RemoteCommand part, ReadOnlySpan<byte> request, long before);
}
