using System.Globalization;

namespace Larder.Tuner.Bench;

/// <summary>One step of a sweep: so many callers, with such a cap.</summary>
internal readonly record struct Rung(int Callers, Cap Cap)
{
    /// <summary>
    /// Reads <c>1,25,5000@default</c>: callers, and after @ the cap where it is neither <paramref name="cap"/> nor, when that is null, the number of callers.
    /// </summary>
    /// <exception cref="FormatException">A part is no rung.</exception>
    public static IReadOnlyList<Rung> ParseAll(string text, Cap? cap) => [.. text.Split(',').Select(part => Parse(part.Trim(), cap))];

    /// <inheritdoc/>
    public override string ToString() =>
        Cap == new Cap(CapKind.Number, Callers)
            ? Callers.ToString("N0", CultureInfo.InvariantCulture)
            : string.Create(CultureInfo.InvariantCulture, $"{Callers:N0}, cap {Cap}");

    private static Rung Parse(string part, Cap? cap)
    {
        string[] pieces = part.Split('@');
        if (pieces.Length > 2 || !int.TryParse(pieces[0], NumberStyles.None, CultureInfo.InvariantCulture, out int callers) || callers is < 1 or > 100_000)
        {
            throw new FormatException($"in flight is N or N@CAP, N from 1 to 100,000; not \"{part}\"");
        }

        return new Rung(callers, pieces.Length == 2 ? Cap.Parse(pieces[1]) : cap ?? new Cap(CapKind.Number, callers));
    }
}
