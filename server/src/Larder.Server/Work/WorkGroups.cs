using Larder.Server.Security;
using Larder.Wire;

namespace Larder.Server.Work;

/// <summary>Groups the connections that share worker time. A group consists of the connections that use the same token.</summary>
internal static class WorkGroups
{
    /// <summary>Gets the number of long calls in progress, summed over all servers in this process.</summary>
    public static int Started => WorkScheduler.Shared.Started;

    /// <summary>
    /// Returns the share of worker time of a call's connection. If the connection used a token, first adds the connection to the group of the last token used.
    /// </summary>
    public static WorkShare ShareOf(RpcContext context)
    {
        WorkShare share = context.Stream.Connection.Share;
        if (context.ConnectionCaller is ConnectionCaller caller)
        {
            WorkScheduler.Shared.Join(share, caller.Use.Work);
        }

        return share;
    }
}
