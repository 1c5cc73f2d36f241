namespace Larder.Lab.Near;

/// <summary>The result of one part of <c>larder lab near</c>, as a section of the report.</summary>
/// <param name="Title">The heading.</param>
/// <param name="Lines">The lines, as Markdown.</param>
/// <param name="Passed">Whether all requirements were met.</param>
internal sealed record NearSection(string Title, IReadOnlyList<string> Lines, bool Passed = true);
