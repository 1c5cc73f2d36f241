namespace Larder.Harness;

/// <summary>A program that is missing, has failed or is silent; its text is for the user, and says which and why.</summary>
public class HarnessException(string message, int? exitCode = null) : Exception(message)
{
    /// <summary>Of the program that failed; null where it runs or was never started.</summary>
    public int? ExitCode { get; } = exitCode;
}
