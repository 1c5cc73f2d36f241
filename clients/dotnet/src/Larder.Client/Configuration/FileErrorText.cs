namespace Larder.Client;

/// <summary>Explains why a file of secrets cannot be read. The system's own message may contain more than is safe to show.</summary>
internal static class FileErrorText
{
    /// <summary>Returns the reason.</summary>
    public static string Why(Exception exception) => exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => "it does not exist",
        UnauthorizedAccessException => "permission denied",
        _ => exception.GetType().Name,
    };
}
