using System.Globalization;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Faults;

/// <summary>The faults that the metadata of a call requests. The metadata is parsed only if the server was started with <c>--fault-injection</c>.</summary>
internal sealed record FaultScript
{
    /// <summary>Gets the request ID, which is the key of the fault counters. It is the same for all retries of a call.</summary>
    public required string RequestId { get; init; }

    /// <summary>Gets the error to return; null if calls do not fail.</summary>
    public CallError? Error { get; init; }

    /// <summary>Gets the kebab-case names of the calls that fail.</summary>
    public string[] ErrorRpcs { get; init; } = [];

    /// <summary>Gets how many times each of these calls fails. By default, these calls always fail.</summary>
    public int ErrorCount { get; init; } = int.MaxValue;

    /// <summary>Gets the kebab-case names of the calls that are delayed.</summary>
    public string[] DelayRpcs { get; init; } = [];

    public TimeSpan Delay { get; init; }

    /// <summary>Gets how many times each of these calls is delayed. By default, these calls are always delayed.</summary>
    public int DelayCount { get; init; } = int.MaxValue;

    /// <summary>Gets the error that ends a response stream; null if streams do not fail.</summary>
    public CallError? StreamError { get; init; }

    /// <summary>Gets the kebab-case names of the streaming calls that fail with <see cref="StreamError"/>.</summary>
    public string[] StreamErrorRpcs { get; init; } = [];

    /// <summary>Gets the number of messages that are sent before <see cref="StreamError"/>.</summary>
    public int StreamErrorMessageLimit { get; init; }

    // A name in the metadata also applies to the newer variant of the call in the public protocol.
    private static readonly (string Name, string Also)[] Aliases = [("set-if", "set-if-not-exists"), ("list-remove", "list-erase")];

    /// <summary>Parses the metadata of a call. Returns null if the metadata requests no faults.</summary>
    public static FaultScript? Parse(RpcRequestHeaders headers)
    {
        CallError? error = ParseError(headers["return-error"]);
        CallError? streamError = ParseError(headers["stream-error"]);
        string[] delayRpcs = Rpcs(headers["delay-rpcs"]);
        if (error is null && streamError is null && delayRpcs.Length == 0)
        {
            return null;
        }

        return new FaultScript
        {
            RequestId = headers["request-id"],
            Error = error,
            ErrorRpcs = Rpcs(headers["error-rpcs"]),
            ErrorCount = Number(headers["error-count"], int.MaxValue),
            DelayRpcs = delayRpcs,
            Delay = TimeSpan.FromMilliseconds(Number(headers["delay-ms"], 0)),
            DelayCount = Number(headers["delay-count"], int.MaxValue),
            StreamError = streamError,
            StreamErrorRpcs = Rpcs(headers["stream-error-rpcs"]),
            StreamErrorMessageLimit = Number(headers["stream-error-message-limit"], 0),
        };
    }

    private static CallError? ParseError(string kebab) =>
        kebab.Length != 0 && Enum.TryParse(kebab.Replace("-", "", StringComparison.Ordinal), ignoreCase: true, out StatusCode code) && code != StatusCode.Ok
            ? new CallError(code, "fault injected by the metadata of the call")
            : null;

    private static string[] Rpcs(string list)
    {
        string[] named = list.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return [.. named, .. Aliases.Where(alias => named.Contains(alias.Name)).Select(alias => alias.Also)];
    }

    private static int Number(string text, int otherwise) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : otherwise;
}
