using System.Globalization;
using System.Text;

namespace Larder.Client;

/// <summary>The reason why a call failed: an error code, a message, a cause, and diagnostic details. It never contains a key, a value or a token.</summary>
public sealed class CacheError
{
    internal CacheError(CacheErrorCode code, string reason)
    {
        Code = code;
        Reason = reason;
    }

    /// <summary>Gets the error code. Use this code, not the message, to decide how to handle the error.</summary>
    public CacheErrorCode Code { get; }

    /// <summary>Gets the reason in one sentence, from the server or the client.</summary>
    public string Reason { get; }

    /// <summary>Gets the machine-readable cause, such as <c>item_size_limit_exceeded</c>. Null if the server sent no cause.</summary>
    public string? Cause { get; init; }

    /// <summary>Gets the underlying exception, or null if there is no exception.</summary>
    public Exception? Exception { get; init; }

    /// <summary>Gets the operation's name, such as <c>get</c>, <c>set</c> or <c>increment</c>.</summary>
    public string Operation { get; init; } = "";

    /// <summary>Gets the length of the key in bytes, or 0 if the call has no key.</summary>
    public int KeyLength { get; init; }

    /// <summary>Gets the time from the start of the call to this error.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>
    /// Gets the part of <see cref="Elapsed"/> that the call spent in the client's queue, because the limit on requests in flight was reached.
    /// </summary>
    public TimeSpan QueuedFor { get; init; }

    /// <summary>Gets the number of the client's requests in flight when the error occurred.</summary>
    public int InFlight { get; init; }

    /// <summary>Gets the limit on requests in flight, or <see cref="Configuration.Unlimited"/>.</summary>
    public int InFlightLimit { get; init; }

    /// <summary>Gets the number of calls in the client's queue when the error occurred.</summary>
    public int Queued { get; init; }

    /// <summary>Gets the number of times the call was sent. It is 0 if the call was never sent.</summary>
    public int Attempts { get; init; }

    /// <summary>Gets a description of the connection's state, for example <c>connected</c>, <c>connecting</c> or <c>failed 3 times</c>.</summary>
    public string Connection { get; init; } = "";

    /// <summary>
    /// Gets the number of work items that are waiting for a thread of the .NET thread pool. A number in the thousands means that the process itself is
    /// overloaded.
    /// </summary>
    public long ThreadPoolBacklog { get; init; }

    /// <summary>
    /// Gets whether the server does not support the call (status <c>UNIMPLEMENTED</c>). The code is then <see cref="CacheErrorCode.Unknown"/>, which also
    /// stands for failures of unknown kind.
    /// </summary>
    internal bool IsUnsupported { get; init; }

    /// <summary>Gets all details in one line, for a log.</summary>
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
