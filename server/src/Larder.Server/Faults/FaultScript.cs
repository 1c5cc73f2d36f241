using System.Globalization;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Faults;

/// <summary>What a call's fault-injection metadata asks for. Parsed only by a server started with <c>--fault-injection</c>.</summary>
internal sealed record FaultScript
{
    /// <summary>Counts are kept under this key, so that a client's retries are recognised.</summary>
    public required string RequestId { get; init; }

    /// <summary>The error to answer with; null: none.</summary>
    public CallError? Error { get; init; }

    /// <summary>The rpcs that fail, by kebab name.</summary>
    public string[] ErrorRpcs { get; init; } = [];

    /// <summary>How many times each fails; without it, always.</summary>
    public int ErrorCount { get; init; } = int.MaxValue;

    /// <summary>The rpcs that are held back, by kebab name.</summary>
    public string[] DelayRpcs { get; init; } = [];

    /// <summary>For how long.</summary>
    public TimeSpan Delay { get; init; }

    /// <summary>How many times each is held back; without it, always.</summary>
    public int DelayCount { get; init; } = int.MaxValue;

    /// <summary>The error that ends a response stream; null: none.</summary>
    public CallError? StreamError { get; init; }

    /// <summary>The streaming rpcs that it ends.</summary>
    public string[] StreamErrorRpcs { get; init; } = [];

    /// <summary>The messages that are sent before it.</summary>
    public int StreamErrorMessageLimit { get; init; }

    // One name of the metadata stands for the public protocol's later forms of the call too.
    private static readonly (string Name, string Also)[] Aliases = [("set-if", "set-if-not-exists"), ("list-remove", "list-erase")];

    /// <summary>The script in a call's metadata; null where it has none.</summary>
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
            ? new CallError(code, "injected by the call's own metadata")
            : null;

    private static string[] Rpcs(string list)
    {
        string[] named = list.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return [.. named, .. Aliases.Where(alias => named.Contains(alias.Name)).Select(alias => alias.Also)];
    }

    private static int Number(string text, int otherwise) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : otherwise;
}
