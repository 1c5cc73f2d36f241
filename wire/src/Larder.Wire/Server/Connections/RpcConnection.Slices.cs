using System.Diagnostics;

namespace Larder.Wire;

/// <summary>How a connection whose calls take long gives way to the others of its thread.</summary>
internal sealed partial class RpcConnection
{
    // For the receiving thread.
    private WorkYield? _yield;
    private WorkSlice _slice = new(TimeProvider.System);

    // Continues on a worker, when it is the connection's turn.
    private async ValueTask YieldAsync()
    {
        await (_yield ??= new WorkYield(WorkScheduler.Shared, Share));
        _slice.Begin(Stopwatch.GetTimestamp());
    }
}
