namespace Larder.Client;

/// <summary>A file of secrets that cannot be read, in words for an error: the system's own may say more than is to be told.</summary>
internal static class UnreadableFile
{
    /// <summary>Why it cannot.</summary>
    public static string Why(Exception exception) => exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => "there is none",
        UnauthorizedAccessException => "this program may not",
        _ => exception.GetType().Name,
    };
}
