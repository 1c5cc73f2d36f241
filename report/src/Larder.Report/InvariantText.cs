namespace Larder.Report;

/// <summary>Formats text independently of the culture.</summary>
internal static class InvariantText
{
    /// <summary>Concatenates the parts of a sentence that is too long for one line of code.</summary>
    public static string Say(params FormattableString[] parts) => string.Concat(parts.Select(FormattableString.Invariant));
}
