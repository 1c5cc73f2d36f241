using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>What comes of a peer's frames.</summary>
/// <param name="Goodbye">The code of the GOAWAY that ends the connection; null where it lives on.</param>
/// <param name="Resets">The streams that are reset for them, with their codes.</param>
/// <param name="Answered">The streams whose calls are answered.</param>
internal sealed record Outcome(Http2ErrorCode? Goodbye, (int Stream, Http2ErrorCode Code)[] Resets, int[] Answered)
{
    /// <summary>The connection lives, and nothing else is said.</summary>
    public static readonly Outcome Passes = new(null, [], []);

    public static Outcome Ends(Http2ErrorCode code, params int[] answered) => new(code, [], answered);

    public static Outcome Resetting(int stream, Http2ErrorCode code, params int[] answered) => new(null, [(stream, code)], answered);

    public static Outcome Answers(params int[] streams) => new(null, [], streams);

    /// <summary>The connection lives, but takes no more calls: its peer has said goodbye.</summary>
    public static readonly Outcome Leaves = new(null, [], []) { IsLast = true };

    /// <summary>Whether a next call goes by another connection.</summary>
    public bool IsLast { get; init; }

    public override string ToString() =>
        $"goodbye {Goodbye?.ToString() ?? "none"}; resets {string.Join(",", Resets.Select(reset => $"{reset.Stream} {reset.Code}"))}; answered "
            + $"{string.Join(",", Answered)}";
}
