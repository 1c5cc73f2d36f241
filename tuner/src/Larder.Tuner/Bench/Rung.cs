using System.Globalization;

namespace Larder.Tuner.Bench;

/// <summary>One step of a sweep: a number of callers and a concurrency limit.</summary>
internal readonly record struct Rung(int Callers, Cap Cap)
{
    /// <summary>
    /// Parses a list such as <c>1,25,5000@default</c>. Each part is a number of callers with an optional limit after the @. If a part has no limit, the limit
    /// is <paramref name="cap"/>. If that is null, the limit is the number of callers.
    /// </summary>
    /// <exception cref="FormatException">A part is not a valid rung.</exception>
    public static IReadOnlyList<Rung> ParseAll(string text, Cap? cap) => [.. text.Split(',').Select(part => Parse(part.Trim(), cap))];

    /// <inheritdoc/>
    public override string ToString() =>
        Cap == new Cap(CapKind.Number, Callers)
            ? Callers.ToString("N0", CultureInfo.InvariantCulture)
            : string.Create(CultureInfo.InvariantCulture, $"{Callers:N0}, limit {Cap}");

    private static Rung Parse(string part, Cap? cap)
    {
        string[] pieces = part.Split('@');
        if (pieces.Length > 2 || !int.TryParse(pieces[0], NumberStyles.None, CultureInfo.InvariantCulture, out int callers) || callers is < 1 or > 100_000)
        {
            throw new FormatException($"--in-flight must be N or N@LIMIT with N from 1 to 100,000, but is \"{part}\"");
        }

        return new Rung(callers, pieces.Length == 2 ? Cap.Parse(pieces[1]) : cap ?? new Cap(CapKind.Number, callers));
    }
}
