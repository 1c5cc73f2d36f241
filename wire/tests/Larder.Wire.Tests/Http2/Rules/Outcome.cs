using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>The expected reaction to a peer's frames.</summary>
/// <param name="Goodbye">The code of the GOAWAY that ends the connection; null if the connection stays open.</param>
/// <param name="Resets">The streams that are reset, with the error codes.</param>
/// <param name="Answered">The streams whose calls succeed.</param>
internal sealed record Outcome(Http2ErrorCode? Goodbye, (int Stream, Http2ErrorCode Code)[] Resets, int[] Answered)
{
    /// <summary>The connection stays open, and there is no other reaction.</summary>
    public static readonly Outcome Passes = new(null, [], []);

    public static Outcome Ends(Http2ErrorCode code, params int[] answered) => new(code, [], answered);

    public static Outcome Resetting(int stream, Http2ErrorCode code, params int[] answered) => new(null, [(stream, code)], answered);

    public static Outcome Answers(params int[] streams) => new(null, [], streams);

    /// <summary>The connection stays open but accepts no more calls, because the peer sent GOAWAY.</summary>
    public static readonly Outcome Leaves = new(null, [], []) { IsLast = true };

    /// <summary>Gets whether the next call uses a new connection.</summary>
    public bool IsLast { get; init; }

    public override string ToString() =>
        $"goodbye {Goodbye?.ToString() ?? "none"}; resets {string.Join(",", Resets.Select(reset => $"{reset.Stream} {reset.Code}"))}; answered "
            + $"{string.Join(",", Answered)}";
}
