namespace Larder.Client;

/// <summary>Explains why a file of secrets cannot be read. The system's own message may contain more than is safe to show.</summary>
internal static class UnreadableFile
{
    /// <summary>Returns the reason.</summary>
    public static string Why(Exception exception) => exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => "there is none",
        UnauthorizedAccessException => "this program may not",
        _ => exception.GetType().Name,
    };
}
