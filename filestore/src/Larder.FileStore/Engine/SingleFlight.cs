using System.Collections.Concurrent;

namespace Larder.FileStore.Engine;

/// <summary>
/// Ensures that at most one run of a factory is in progress for each key. Callers that arrive during a run share its result. The run is cancelled when no
/// caller is waiting for it any longer. The number of runs is bounded by the number of keys being created.
/// </summary>
internal sealed class SingleFlight<T>
{
    private readonly ConcurrentDictionary<string, Flight> _flights = new(StringComparer.Ordinal);

    internal T Run(string key, Func<T> make)
    {
        Flight joined = Join(key, _ => Task.FromResult(make()));
        try
        {
            // Blocks on the result itself, because an await would need a free thread-pool thread.
            return joined.Result.GetAwaiter().GetResult();
        }
        finally
        {
            joined.Leave();
        }
    }

    internal async Task<T> RunAsync(string key, Func<CancellationToken, Task<T>> make, CancellationToken token)
    {
        Flight joined = Join(key, make);
        try
        {
            return await joined.Result.WaitAsync(token).ConfigureAwait(false);
        }
        finally
        {
            joined.Leave();
        }
    }

    private Flight Join(string key, Func<CancellationToken, Task<T>> make)
    {
        while (true)
        {
            Flight flight = new();
            Flight joined = _flights.GetOrAdd(key, flight);
            if (!joined.TryJoin())
            {
                // The last caller has just stopped waiting for the run, so the run's entry is about to be removed.
                _flights.TryRemove(new KeyValuePair<string, Flight>(key, joined));
                continue;
            }
            if (ReferenceEquals(flight, joined))
            {
                _ = FlyAsync(key, flight, make);
            }
            return joined;
        }
    }

    private async Task FlyAsync(string key, Flight flight, Func<CancellationToken, Task<T>> make)
    {
        try
        {
            T made = await make(flight.Token).ConfigureAwait(false);
            Land(key, flight);
            flight.Complete(made);
        }
        catch (Exception e)
        {
            Land(key, flight);
            flight.Fail(e);
        }
    }

    private void Land(string key, Flight flight) => _flights.TryRemove(new KeyValuePair<string, Flight>(key, flight));

    [System.Diagnostics.CodeAnalysis.SuppressMessage("Design", "CA1001", Justification = "A source without timer or wait handle holds nothing to free.")]
    private sealed class Flight
    {
        private readonly TaskCompletionSource<T> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly CancellationTokenSource _cancel = new();
        private readonly Lock _gate = new();
        private int _callers;
        private bool _abandoned;

        internal Task<T> Result => _result.Task;

        internal CancellationToken Token => _cancel.Token;

        internal bool TryJoin()
        {
            lock (_gate)
            {
                _callers += _abandoned ? 0 : 1;
                return !_abandoned;
            }
        }

        internal void Leave()
        {
            lock (_gate)
            {
                _abandoned = --_callers == 0;
                if (_abandoned && !_result.Task.IsCompleted)
                {
                    _cancel.Cancel();
                }
            }
        }

        internal void Complete(T made) => _result.TrySetResult(made);

        internal void Fail(Exception reason)
        {
            _result.TrySetException(reason);
            // Observe the exception here, because no caller observes it if all callers have stopped waiting.
            _ = _result.Task.Exception;
        }
    }
}
