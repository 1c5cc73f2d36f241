namespace Larder.Harness;

/// <summary>
/// The exception that is thrown if a program is missing, fails or does not respond. The message is for the user, and states the program and the cause.
/// </summary>
public class HarnessException(string message, int? exitCode = null) : Exception(message)
{
    /// <summary>Gets the exit code of the failed program; null if the program is running or was never started.</summary>
    public int? ExitCode { get; } = exitCode;
}
