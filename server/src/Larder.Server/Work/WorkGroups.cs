using Larder.Server.Security;
using Larder.Wire;

namespace Larder.Server.Work;

/// <summary>Which connections share one part of the workers' time: those that show the same token.</summary>
internal static class WorkGroups
{
    /// <summary>Long calls that have begun and not ended, of all servers in this process.</summary>
    public static int Started => WorkScheduler.Shared.Started;

    /// <summary>The share of a call's connection, in the group of the token that the connection showed last, if any.</summary>
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
