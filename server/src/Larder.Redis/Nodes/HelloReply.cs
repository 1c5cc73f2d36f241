using System.Text;

namespace Larder.Redis;

/// <summary>What a node says of itself when it is greeted.</summary>
/// <param name="Version">Of the engine.</param>
/// <param name="IsCluster">Whether it is a node of a cluster.</param>
/// <param name="IsReplica">Whether it only follows a master.</param>
/// <param name="Connection">The node's number of the connection that it was asked on; 0 where it does not say.</param>
internal sealed record HelloReply(string Version, bool IsCluster, bool IsReplica, long Connection = 0)
{
    /// <summary>Reads the answer to HELLO. Fields that are not known are passed over.</summary>
    /// <exception cref="InvalidDataException">It is no map.</exception>
    public static HelloReply Read(ref RespReader reply)
    {
        if (reply.Kind != RespKind.Map)
        {
            throw new InvalidDataException("The node's answer to HELLO cannot be read.");
        }

        string version = "";
        bool isCluster = false;
        bool isReplica = false;
        long connection = 0;
        for (int left = reply.Count / 2; left > 0; left--)
        {
            reply.Read();
            ReadOnlySpan<byte> field = reply.Bytes;
            reply.Skip();
            reply.Read();
            if (field.SequenceEqual("version"u8))
            {
                version = Encoding.UTF8.GetString(reply.Bytes);
            }
            else if (field.SequenceEqual("mode"u8))
            {
                isCluster = reply.Bytes.SequenceEqual("cluster"u8);
            }
            else if (field.SequenceEqual("role"u8))
            {
                isReplica = !reply.Bytes.SequenceEqual("master"u8);
            }
            else if (field.SequenceEqual("id"u8))
            {
                connection = reply.Integer;
            }

            reply.Skip();
        }

        return new HelloReply(version, isCluster, isReplica, connection);
    }
}
