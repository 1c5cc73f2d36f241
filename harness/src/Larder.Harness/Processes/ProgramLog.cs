using System.Text;

namespace Larder.Harness.Processes;

/// <summary>What a program has written to stderr: the last of it, of at most <see cref="MostCharacters"/>.</summary>
internal sealed class ProgramLog
{
    // More than any test reads: 4 Mi characters of 2 bytes are 8 MiB.
    private const int MostCharacters = 1 << 22;

    private readonly StringBuilder _text = new();

    /// <summary>Reads it from now on.</summary>
    public ProgramLog(StreamReader errors) => Ended = ReadAsync(errors);

    /// <summary>Done when the program, and whoever has its stderr too, has closed it.</summary>
    public Task Ended { get; }

    /// <inheritdoc/>
    public override string ToString()
    {
        lock (_text)
        {
            return _text.ToString();
        }
    }

    private async Task ReadAsync(StreamReader errors)
    {
        char[] buffer = new char[4096];
        try
        {
            int read;
            while ((read = await errors.ReadAsync(buffer).ConfigureAwait(false)) > 0)
            {
                lock (_text)
                {
                    _text.Append(buffer, 0, read);
                    _text.Remove(0, Math.Max(0, _text.Length - MostCharacters));
                }
            }
        }
        catch (Exception closed) when (closed is IOException or ObjectDisposedException)
        {
            // Nobody reads on once the process is disposed of.
        }
    }
}
