namespace Larder.Report;

/// <summary>Text with figures in it, the same in every culture.</summary>
internal static class InvariantText
{
    /// <summary>The parts, one after another: a sentence that is too long for a line of code is given in several.</summary>
    public static string Say(params FormattableString[] parts) => string.Concat(parts.Select(FormattableString.Invariant));
}
