using System.Diagnostics;

namespace Larder.Wire;

/// <summary>Lets a connection with long-running calls yield to the other connections on its thread.</summary>
internal sealed partial class RpcConnection
{
    // Used only by the receiving thread.
    private WorkYield? _yield;
    private WorkSlice _slice = new(TimeProvider.System);

    // Moves the current method to a worker. The method continues when it is the connection's turn.
    private async ValueTask YieldAsync()
    {
        await (_yield ??= new WorkYield(WorkScheduler.Shared, Share));
        _slice.Begin(Stopwatch.GetTimestamp());
    }
}
