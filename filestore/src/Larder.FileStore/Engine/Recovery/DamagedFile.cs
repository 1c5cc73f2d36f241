using System.Globalization;
using System.Text;

namespace Larder.FileStore.Engine;

/// <summary>
/// The file <c>NAME.jsonl.damaged</c>: the damaged regions that were found, one per line, for inspection. Its size is at most <see cref="MaxBytes"/>.
/// </summary>
internal static class DamagedFile
{
    private const int MaxBytes = 1 << 20;

    /// <summary>Appends the damaged bytes unless the file already contains them. Returns a description of the location, for messages.</summary>
    internal static string Keep(string logPath, ulong logId, long offset, ReadOnlySpan<byte> region)
    {
        string path = logPath + ".damaged";
        string bytes = Convert.ToBase64String(region);
        string line = string.Create(
            CultureInfo.InvariantCulture,
            $"{{\"id\":\"{logId:x16}\",\"at\":{offset},\"length\":{region.Length},\"base64\":\"{bytes}\"}}\n");
        try
        {
            using FileStream file = new(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
            if (file.Length + line.Length > MaxBytes)
            {
                return $"none, because {path} is full";
            }
            string before = new StreamReader(file).ReadToEnd();
            if (!before.Contains(line, StringComparison.Ordinal))
            {
                file.Seek(0, SeekOrigin.End);
                file.Write(Encoding.ASCII.GetBytes(line));
            }
            return path;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return $"none ({e.Message})";
        }
    }
}
