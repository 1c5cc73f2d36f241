using Larder.Client;

namespace Larder.Cli;

/// <summary>Stores a stream of items, many calls at a time, in bounded memory.</summary>
/// <param name="cache">The cache.</param>
/// <param name="ttl">Time to live of items that say none; null: the client's.</param>
/// <param name="time">Tells which have expired.</param>
internal sealed class Importer(Cache cache, TimeSpan? ttl, TimeProvider time)
{
    // Enough to fill a pipeline; and no more values than these bytes beside the line that is read.
    private const int MostCalls = 512;
    private const long MostBytes = 32 * 1024 * 1024;

    // The largest request's bytes, each as \u0000, and the names.
    private const int MaxLineBytes = 64 * 1024 * 1024;

    private readonly Queue<(long Line, int Bytes, Task<SetResponse> Answer)> _calls = new();
    private long _bytes;

    public long Stored { get; private set; }

    public long Expired { get; private set; }

    /// <summary>Stores all items.</summary>
    /// <returns>Null; or which line could not be stored, and why. Lines after it may have been.</returns>
    public async Task<string?> RunAsync(Stream input, CancellationToken cancellation)
    {
        LineReader lines = new(input, MaxLineBytes);
        string? fault = null;
        try
        {
            while (fault is null && await ReadAsync(lines, cancellation).ConfigureAwait(false) is { } line)
            {
                fault = line.Span.Trim(" \t"u8).IsEmpty ? null : await BeginAsync(line, lines.Number, cancellation).ConfigureAwait(false);
            }
        }
        catch (Exception unread) when (unread is InvalidDataException or IOException)
        {
            fault = unread.Message;
        }

        catch (OperationCanceledException)
        {
            fault = "interrupted";
        }

        // What was sent is waited for, so that the count is true.
        while (_calls.Count > 0)
        {
            string? first = await EndFirstAsync().ConfigureAwait(false);
            fault ??= first;
        }

        return fault;
    }

    // A read of standard input cannot be cancelled: it is left to itself.
    private static async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(LineReader lines, CancellationToken cancellation)
    {
        ValueTask<ReadOnlyMemory<byte>?> reading = lines.ReadAsync(cancellation);
        return reading.IsCompletedSuccessfully ? reading.Result : await reading.AsTask().WaitAsync(cancellation).ConfigureAwait(false);
    }

    private async ValueTask<string?> BeginAsync(ReadOnlyMemory<byte> line, long number, CancellationToken cancellation)
    {
        ItemLine item;
        try
        {
            item = ItemLine.Parse(line);
        }
        catch (FormatException refused)
        {
            return $"line {number}: {TerminalText.OfText(refused.Message)}";
        }

        TimeSpan? left = item.ExpiresUnixMs == 0 ? ttl : TimeSpan.FromMilliseconds(item.ExpiresUnixMs - time.GetUtcNow().ToUnixTimeMilliseconds());
        if (item.ExpiresUnixMs != 0 && left <= TimeSpan.Zero)
        {
            Expired++;
            return null;
        }

        int bytes = item.Key.Length + item.Value.Length;
        string? fault = null;
        while (fault is null && _calls.Count > 0 && (_calls.Count >= MostCalls || _bytes + bytes > MostBytes))
        {
            fault = await EndFirstAsync().ConfigureAwait(false);
        }

        if (fault is null)
        {
            _bytes += bytes;
            _calls.Enqueue((number, bytes, cache.SetAsync(item.Key, item.Value, left, cancellation).AsTask()));
        }

        return fault;
    }

    private async ValueTask<string?> EndFirstAsync()
    {
        (long line, int bytes, Task<SetResponse> answer) = _calls.Dequeue();
        _bytes -= bytes;
        if (await answer.ConfigureAwait(false) is SetResponse.Error error)
        {
            return $"line {line}: {TerminalText.OfText($"{error.Failure.Code}: {error.Failure.Reason}")}";
        }

        Stored++;
        return null;
    }
}
