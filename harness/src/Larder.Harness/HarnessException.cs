namespace Larder.Harness;

/// <summary>A program is missing, failed or did not respond. The message is for the user and names the program and the cause.</summary>
public class HarnessException(string message, int? exitCode = null) : Exception(message)
{
    /// <summary>Gets the exit code of the failed program; null if it is running or was never started.</summary>
    public int? ExitCode { get; } = exitCode;
}
