namespace Larder.Server.Doctor;

/// <summary>A result of <c>larder doctor</c>.</summary>
/// <param name="Level">The severity of the result.</param>
/// <param name="Subject">What was checked, in one or two words.</param>
/// <param name="Text">What was found, in one sentence.</param>
/// <param name="Fix">What to do; null if there is nothing to do.</param>
internal sealed record Finding(FindingLevel Level, string Subject, string Text, string? Fix = null)
{
    public static Finding Ok(string subject, string text) => new(FindingLevel.Ok, subject, text);

    public static Finding Skipped(string subject, string text) => new(FindingLevel.Skipped, subject, text);

    public static Finding Warning(string subject, string text, string fix) => new(FindingLevel.Warning, subject, text, fix);

    public static Finding Error(string subject, string text, string fix) => new(FindingLevel.Error, subject, text, fix);
}
