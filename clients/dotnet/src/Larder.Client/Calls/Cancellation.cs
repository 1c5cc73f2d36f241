using System.Diagnostics.CodeAnalysis;

namespace Larder.Client;

/// <summary>Cancels the client's internal token sources.</summary>
internal static class Cancellation
{
    /// <summary>
    /// Cancels a source and runs its callbacks on this thread, because <see cref="CancellationTokenSource.CancelAsync"/> requires a free thread of the thread
    /// pool. Use this method only for sources whose callbacks belong to the client, because these callbacks are short and do not throw.
    /// </summary>
    [SuppressMessage("Performance", "CA1849", Justification = "See the summary.")]
    public static void Cancel(CancellationTokenSource source) => source.Cancel();
}
