using System.Diagnostics.CodeAnalysis;

namespace Larder.Client;

/// <summary>Cancels the client's own token sources.</summary>
internal static class Cancellation
{
    /// <summary>
    /// Cancels on this thread. <see cref="CancellationTokenSource.CancelAsync"/> needs a free thread of the pool. For sources whose registrations are the
    /// client's own: they are short and throw nothing.
    /// </summary>
    [SuppressMessage("Performance", "CA1849", Justification = "See the summary.")]
    public static void Cancel(CancellationTokenSource source) => source.Cancel();
}
