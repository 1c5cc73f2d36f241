using System.Globalization;
using System.Text;

namespace Larder.Client;

/// <summary>
/// Why a call failed: one code to decide by, one message and one cause, and what helps to find out why.
/// Never holds a key, a value or a token.
/// </summary>
public sealed class CacheError
{
    internal CacheError(CacheErrorCode code, string reason)
    {
        Code = code;
        Reason = reason;
    }

    /// <summary>What went wrong: decide by this.</summary>
    public CacheErrorCode Code { get; }

    /// <summary>What was wrong, in one sentence, as the server or the client said it.</summary>
    public string Reason { get; }

    /// <summary>The cause in the server's own words for machines (<c>item_size_limit_exceeded</c>), null where it gave none.</summary>
    public string? Cause { get; init; }

    /// <summary>The exception beneath, where there was one.</summary>
    public Exception? Exception { get; init; }

    /// <summary>The operation's name: <c>get</c>, <c>set</c>, <c>increment</c>.</summary>
    public string Operation { get; init; } = "";

    /// <summary>Length of the key in bytes; 0 where the call has none.</summary>
    public int KeyLength { get; init; }

    /// <summary>Time from the call to this error.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>The part of <see cref="Elapsed"/> spent in the client's queue, waiting for the cap on requests in flight.</summary>
    public TimeSpan QueuedFor { get; init; }

    /// <summary>Requests in flight on this client when the error was made.</summary>
    public int InFlight { get; init; }

    /// <summary>The cap on them; <see cref="Configuration.Unlimited"/> where there is none.</summary>
    public int InFlightLimit { get; init; }

    /// <summary>Calls waiting in the client's queue when the error was made.</summary>
    public int Queued { get; init; }

    /// <summary>How often the call was sent: 0 where it never left the client.</summary>
    public int Attempts { get; init; }

    /// <summary>The connection's state in words: <c>connected</c>, <c>connecting</c>, <c>refused 3 times</c>.</summary>
    public string Connection { get; init; } = "";

    /// <summary>Work items waiting for a thread of the pool: thousands say that the process itself is late.</summary>
    public long ThreadPoolBacklog { get; init; }

    /// <summary>The whole story in one line, for a log.</summary>
    public string Message => Describe();

    /// <inheritdoc/>
    public override string ToString() => Message;

    private string Describe()
    {
        StringBuilder text = new StringBuilder().Append(Code).Append(": ").Append(Reason);
        if (Operation.Length > 0)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $" [{Operation}, {(KeyLength > 0 ? $"key {KeyLength} B, " : "")}elapsed {Milliseconds(Elapsed)} ms, queued for {Milliseconds(QueuedFor)} ms, ");
            text.Append(
                CultureInfo.InvariantCulture,
                $"in flight {InFlight}/{(InFlightLimit == Configuration.Unlimited ? "off" : InFlightLimit)}, waiting {Queued}, attempts {Attempts}, ");
            text.Append(CultureInfo.InvariantCulture, $"connection {Connection}, thread pool backlog {ThreadPoolBacklog}]");
        }

        return Cause is null ? text.ToString() : text.Append(" cause ").Append(Cause).ToString();
    }

    private static string Milliseconds(TimeSpan span) => span.TotalMilliseconds.ToString("0.###", CultureInfo.InvariantCulture);
}
