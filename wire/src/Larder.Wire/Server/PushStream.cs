namespace Larder.Wire;

/// <summary>
/// The answers of one call that may live for days and that many calls share: they wait where they come from, in an <see cref="IPushSource"/>, and the
/// connection fetches as much as its peer takes. A stream that has nothing to send costs nothing; one that is signalled costs no task and no hop of its own.
/// </summary>
public sealed class PushStream
{
    private readonly RpcStream _stream;
    private readonly TaskCompletionSource _over = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal PushStream(RpcStream stream) => _stream = stream;

    internal RpcStream Stream => _stream;

    internal IPushSource? Source { get; private set; }

    /// <summary>True while it waits for its turn on the connection. Under the connection's lock.</summary>
    internal bool IsQueued { get; set; }

    /// <summary>True once it is to end when its source has no more. Under the connection's lock.</summary>
    internal bool IsEnding { get; set; }

    /// <summary>When it was told to end, in the connection's milliseconds. Under the connection's lock.</summary>
    internal long EndingSinceMs { get; set; }

    /// <summary>True once nothing more is sent. Under the connection's lock.</summary>
    internal bool IsOver { get; private set; }

    /// <summary>
    /// Sends the response's headers, and then what the source has whenever the stream, or a set that it is in, is signalled.
    /// </summary>
    /// <param name="source">Where the answers are.</param>
    /// <param name="sets">Those whose signals are for this stream too, as long as it runs.</param>
    /// <returns>A task that completes when the caller is gone, or after <see cref="End"/> when everything was sent. Called once.</returns>
    public async Task RunAsync(IPushSource source, params PushSet[] sets)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(sets);
        Source = source;
        _stream.Call.BeganAfter = _stream.Call.Elapsed;
        foreach (PushSet set in sets)
        {
            set.Add(this);
        }

        try
        {
            _stream.Connection.Begin(this);
            await _over.Task.ConfigureAwait(false);
        }
        finally
        {
            foreach (PushSet set in sets)
            {
                set.Remove(this);
            }
        }
    }

    /// <summary>Says that the source has something. From any thread; it may send on this one, and does not wait.</summary>
    public void Signal() => _stream.Connection.Push(this);

    /// <summary>Ends the stream when what its source has was sent; the call's status is its handler's. One that takes nothing meanwhile is reset.</summary>
    public void End() => _stream.Connection.EndPush(this);

    /// <summary>Nothing more is sent. Under the connection's lock.</summary>
    internal void Over()
    {
        if (!IsOver)
        {
            IsOver = true;
            Source?.Closed();
            _over.TrySetResult();
        }
    }
}
