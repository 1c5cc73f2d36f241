namespace Larder.Report.Runs;

/// <summary>A run file cannot be read or does not contain a run. The message is shown to the user and names the file.</summary>
internal sealed class RunFileException(string message) : Exception(message);
