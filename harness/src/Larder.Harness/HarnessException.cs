namespace Larder.Harness;

/// <summary>The exception for a program that is missing, failed or did not respond. The message is for the user, and names the program and the cause.</summary>
public class HarnessException(string message, int? exitCode = null) : Exception(message)
{
    /// <summary>Gets the exit code of the failed program; null if the program is running or was never started.</summary>
    public int? ExitCode { get; } = exitCode;
}
