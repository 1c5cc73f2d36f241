namespace Larder.Report.Runs;

/// <summary>A file that is to hold a run cannot be read, or holds none; its text is for the user, and names the file.</summary>
internal sealed class RunFileException(string message) : Exception(message);
