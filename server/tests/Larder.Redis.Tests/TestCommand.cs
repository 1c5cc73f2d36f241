using System.Globalization;
using System.Text;

namespace Larder.Redis.Tests;

/// <summary>A command whose reply a test can await as text. The text of a null reply is null.</summary>
internal sealed class TestCommand : RedisCommand
{
    private readonly TaskCompletionSource<string?> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Creates a command from words. A word that begins with <c>@</c> is the key. The <c>@</c> is not part of the key.</summary>
    public TestCommand(params string[] words)
    {
        Begin(words.Length);
        foreach (string word in words)
        {
            AddWord(word);
        }
    }

    public TestCommand(RedisScript script, string key, params string[] arguments)
    {
        BeginScript(script, keys: 1, arguments.Length);
        AddKey(default, Encoding.UTF8.GetBytes(key));
        foreach (string word in arguments)
        {
            AddWord(word);
        }
    }

    /// <summary>Gets a task that completes with the reply, or fails with <see cref="RedisFailedException"/>.</summary>
    public Task<string?> Answer => _answer.Task;

    protected internal override void OnReply(ref RespReader reply) => _answer.SetResult(Text(ref reply));

    protected internal override void OnFailure(RedisFailure failure) => _answer.SetException(new RedisFailedException(failure));

    private static string? Text(ref RespReader reply)
    {
        if (reply.Count == 0)
        {
            return reply.IsNull ? null : Encoding.Latin1.GetString(reply.Bytes);
        }

        List<string?> items = [];
        for (int left = reply.Count; left > 0 && reply.Read(); left--)
        {
            items.Add(Text(ref reply));
        }

        return string.Create(CultureInfo.InvariantCulture, $"[{string.Join(',', items)}]");
    }

    private void AddWord(string word)
    {
        if (word.StartsWith('@'))
        {
            AddKey(default, Encoding.Latin1.GetBytes(word[1..]));
        }
        else
        {
            Add(Encoding.Latin1.GetBytes(word));
        }
    }
}
