namespace Larder.Lab.Near;

/// <summary>What one of the measurements has shown.</summary>
/// <param name="Title">Its heading.</param>
/// <param name="Lines">Markdown.</param>
/// <param name="Passed">Whether what has to be so is.</param>
internal sealed record NearSection(string Title, IReadOnlyList<string> Lines, bool Passed = true);
