namespace Larder.Client;

/// <summary>Describes why a file with secrets cannot be read. The system's error message is not used, because it may contain sensitive information.</summary>
internal static class FileErrorText
{
    /// <summary>Returns the reason why the file cannot be read. It does not contain the exception's message.</summary>
    public static string Why(Exception exception) => exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => "it does not exist",
        UnauthorizedAccessException => "permission denied",
        _ => exception.GetType().Name,
    };
}
